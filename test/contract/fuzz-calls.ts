import fc from 'fast-check';
import type {
  OpenApiDocument,
  OpenApiOperation,
  OpenApiParameter,
} from '../../src/surfaces/http/openapi/openapi-document.ts';
import type { Call } from './v1/http-client.ts';

export interface Route {
  readonly path: string;
  readonly method: string;
  readonly operation: OpenApiOperation;
}

export function routesOf(document: OpenApiDocument): Route[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
}

export const nasty = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom('', '\0', '..', '../..', 'a/b', '%', '%00', '{}', '[]', 'null', '-1', '1e9', ' '),
  fc.integer().map(String),
);

/** How to make what a route is sent. */
export interface Fuzz {
  readonly bodies: (route: Route) => fc.Arbitrary<unknown>;
  /** Values of a parameter that fit its schema often enough to get past it. */
  readonly near: (parameter: OpenApiParameter) => readonly string[];
}

/** Requests for the route: most of them nearly right, some with another method, type or parameter. */
export function fuzzCalls(route: Route, fuzz: Fuzz): fc.Arbitrary<{ path: string; options: Call }> {
  const parameters = route.operation.parameters ?? [];
  const given = fc.record(
    Object.fromEntries(
      parameters.map((one) => [
        `${one.in} ${one.name}`,
        fc.oneof(fc.constantFrom(...fuzz.near(one)), nasty),
      ]),
    ),
    {
      requiredKeys: parameters.filter((one) => one.in === 'path').map((one) => `path ${one.name}`),
    },
  );
  const extra = fc.option(fc.tuple(nasty, nasty), { freq: 6 });
  const contentType = fc.oneof(
    { weight: 5, arbitrary: fc.constant('application/json') },
    fc.constantFrom('text/plain', 'application/json; charset=x', 'x'),
  );
  const method = fc.oneof(
    { weight: 8, arbitrary: fc.constant(route.method.toUpperCase()) },
    fc.constantFrom('HEAD', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'),
  );
  return fc.record({ given, extra, body: fuzz.bodies(route), contentType, method }).map((parts) => {
    const values = Object.entries(parts.given).map(([key, value]) => {
      const [place, name] = key.split(' ');
      return { place, name: name ?? '', value: value ?? '' };
    });
    let path = route.path;
    const query = new URLSearchParams();
    const headers: Record<string, string> = {};
    for (const { place, name, value } of values) {
      if (place === 'path') path = path.replace(`{${name}}`, encodeURIComponent(value));
      if (place === 'query') query.append(name, value);
      if (place === 'header') headers[name] = value.replace(/[^\x20-\x7e]/g, '?');
    }
    if (parts.extra) query.append(...parts.extra);
    const hasBody = parts.body !== undefined && parts.method !== 'GET' && parts.method !== 'HEAD';
    return {
      path: query.size === 0 ? path : `${path}?${query}`,
      options: {
        method: parts.method,
        headers: hasBody ? { ...headers, 'content-type': parts.contentType } : headers,
        ...(hasBody ? { body: parts.body } : {}),
      },
    };
  });
}
