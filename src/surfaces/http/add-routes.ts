import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { errorEnvelope } from '../../operations/fields.ts';
import type { Surface, SurfaceKit } from './surface.ts';

/** The routes of a surface, which document errors as it encodes them. */
export async function addRoutes(
  app: FastifyInstance,
  surface: Surface,
  kit: SurfaceKit,
): Promise<void> {
  app.decorate('errorEnvelope', surface.errorEnvelope ?? errorEnvelope);
  await surface.routes(app.withTypeProvider<ZodTypeProvider>(), kit);
}
