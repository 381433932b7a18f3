import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

interface Connection {
  /** What is being received or answered on it. */
  request: IncomingMessage | undefined;
  /** Its place in the order in which connections began to wait for a request. */
  waitingSince: number;
}

/**
 * Node would turn new connections away once there are too many. Then whoever opens so many and sends half a request on
 * each shuts everybody out for as long as a request may take. Here a new one takes the place of the one that has waited
 * longest for its caller to send something; a connection that is being answered, as a stream is, is never given up.
 */
export function limitConnections(server: Server, maxConnections: number): void {
  const connections = new Map<Socket, Connection>();
  let turn = 0;

  function findIdlest(newcomer: Socket): Socket | undefined {
    let idlest: Socket | undefined;
    let since = Number.POSITIVE_INFINITY;
    for (const [socket, connection] of connections) {
      if (socket === newcomer || isBeingAnswered(connection)) continue;
      if (connection.waitingSince >= since) continue;
      idlest = socket;
      since = connection.waitingSince;
    }
    return idlest;
  }

  server.on('connection', (socket: Socket) => {
    turn += 1;
    connections.set(socket, { request: undefined, waitingSince: turn });
    socket.once('close', () => connections.delete(socket));
    if (connections.size > maxConnections) (findIdlest(socket) ?? socket).destroy();
  });

  server.on('request', (request, response) => {
    const connection = connections.get(request.socket);
    if (!connection) return;
    connection.request = request;
    response.once('close', () => {
      if (connection.request !== request) return;
      turn += 1;
      connection.request = undefined;
      connection.waitingSince = turn;
    });
  });
}

/** A request of which a part is still to come waits for its caller, not for us. */
function isBeingAnswered({ request }: Connection): boolean {
  return request?.complete === true;
}
