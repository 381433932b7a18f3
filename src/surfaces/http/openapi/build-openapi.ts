import { addRoutes } from '../add-routes.ts';
import type { Surface, SurfaceKit } from '../surface.ts';
import type { OpenApiDocument, OpenApiOperation } from './openapi-document.ts';
import { toOperationId } from './operation-id.ts';
import { zodSchemaController } from './schema-compilers.ts';

export interface OpenApiInfo {
  readonly title: string;
  readonly version: string;
  readonly description: string;
}

/** Of this program, as `package.json` has it. */
const LICENSE = { name: 'MIT', identifier: 'MIT' };

/**
 * The document of the schemas that requests are validated with. It is made from a second, never listening instance
 * when somebody first asks: the generator costs start-up time and memory that most servers never need.
 */
export async function buildOpenApi(
  surfaces: readonly Surface[],
  kit: SurfaceKit,
  info: OpenApiInfo,
): Promise<OpenApiDocument> {
  const [{ fastify }, { fastifySwagger }, { jsonSchemaTransform, jsonSchemaTransformObject }] =
    await Promise.all([
      import('fastify'),
      import('@fastify/swagger'),
      import('fastify-type-provider-zod'),
    ]);
  const shadow = fastify({ exposeHeadRoutes: false, schemaController: zodSchemaController });
  await shadow.register(fastifySwagger, {
    openapi: {
      openapi: '3.1.0',
      info: { ...info, license: LICENSE },
      // Wherever the document was read from.
      servers: [{ url: '/', description: 'This server.' }],
      components: {
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer', description: 'The token of this server.' },
          basic: {
            type: 'http',
            scheme: 'basic',
            description: 'Any user name, the token as the password: for pages in a browser.',
          },
          session: {
            type: 'apiKey',
            in: 'cookie',
            name: 'pincer_session',
            description:
              'Of a browser that is signed in. All but GET and HEAD need the `csrf_token` of the sign-in as `x-pincer-csrf` too.',
          },
          signature: {
            type: 'apiKey',
            in: 'header',
            name: 'X-OA-RUNTIME-SIGNATURE',
            description: 'A token signed with the shared secret, good for one request.',
          },
        },
      },
    },
    transform: jsonSchemaTransform,
    transformObject: jsonSchemaTransformObject,
  });
  for (const surface of surfaces) {
    shadow.register((app) => addRoutes(app, { surface, kit, isDocument: true }), {
      prefix: surface.prefix,
    });
  }
  await shadow.ready();
  const document = shadow.swagger() as unknown as OpenApiDocument;
  await shadow.close();
  return tidy(document);
}

/** The generator emits every named schema once for input and once for output, and takes every body for required. */
function tidy(document: OpenApiDocument): OpenApiDocument {
  const paths = Object.entries(document.paths).map(([given, methods]) => {
    const path = given.replace('{*}', '{rest}');
    const operations = Object.entries(methods).map(([method, operation]) => [
      method,
      // No word about security would mean that nobody has thought of it.
      { operationId: toOperationId(method, path), security: [], ...relax(operation) },
    ]);
    return [path, Object.fromEntries(operations)];
  });
  return dropUnused({ ...document, paths: Object.fromEntries(paths) });
}

/** Without the named schemas that nothing speaks of; those may speak of each other. */
function dropUnused(document: OpenApiDocument): OpenApiDocument {
  // By name: as given they stand in the order in which files happened to be loaded.
  const schemas = Object.entries(document.components?.schemas ?? {}).sort(byName);
  const text = JSON.stringify(document);
  const used = schemas.filter(([name]) => text.includes(`"#/components/schemas/${name}"`));
  const components = { ...document.components, schemas: Object.fromEntries(used) };
  const kept = { ...document, components };
  return used.length === schemas.length ? kept : dropUnused(kept);
}

function byName([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1;
}

/** A body that may be null may be absent, and the rest of a path needs a name. */
function relax(given: OpenApiOperation): OpenApiOperation {
  const operation = nameRest(given);
  const json = operation.requestBody?.content?.['application/json'];
  const { anyOf } = (json?.schema ?? {}) as {
    readonly anyOf?: readonly { readonly type?: string }[];
  };
  if (!anyOf?.some((schema) => schema.type === 'null')) return operation;
  const schema = anyOf.find((one) => one.type !== 'null');
  return {
    ...operation,
    requestBody: { required: false, content: { 'application/json': { ...json, schema } } },
  };
}

function nameRest(operation: OpenApiOperation): OpenApiOperation {
  const { parameters } = operation;
  if (!parameters?.some(({ name }) => name === '*')) return operation;
  const named = parameters.map((one) => (one.name === '*' ? { ...one, name: 'rest' } : one));
  return { ...operation, parameters: named };
}
