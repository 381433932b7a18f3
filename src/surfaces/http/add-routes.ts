import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { errorEnvelope } from '../../operations/fields.ts';
import type { Surface, SurfaceKit } from './surface.ts';

interface AddedRoutes {
  readonly surface: Surface;
  readonly kit: SurfaceKit;
  readonly isDocument: boolean;
}

/** The routes of a surface, which document errors as it encodes them. */
export async function addRoutes(
  app: FastifyInstance,
  { surface, kit, isDocument }: AddedRoutes,
): Promise<void> {
  app.decorate('errorEnvelope', surface.errorEnvelope ?? errorEnvelope);
  app.decorate('isDocument', isDocument);
  app.decorate('wires', []);
  await surface.routes(app.withTypeProvider<ZodTypeProvider>(), kit);
}
