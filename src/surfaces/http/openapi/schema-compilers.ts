import type {
  FastifySchemaCompiler,
  FastifySerializerCompiler,
  FastifyServerOptions,
} from 'fastify';
import type { ZodType } from 'zod';
import type { RequestPart } from '../answers/describe-issue.ts';
import { checkPart } from '../check-request.ts';

const validateWithZod: FastifySchemaCompiler<ZodType> = ({ schema, httpPart }) => {
  const part = (httpPart ?? 'body') as RequestPart;
  return (data: unknown) => checkPart(schema, part, data);
};

// Codecs list what they return and their types are checked against the schema; parsing every answer again would buy
// nothing at run time. `test/contract/v1/answer-schemas.test.ts` holds answers against the schemas instead.
const serializeAsJson: FastifySerializerCompiler<unknown> = () => (data) => JSON.stringify(data);

/**
 * Given to the framework at once, so that it never loads the compilers it brings along, which no request needs. It
 * types these factories as if nobody used another validator than its own.
 */
export const zodSchemaController = {
  compilersFactory: {
    buildValidator: () => validateWithZod,
    buildSerializer: () => serializeAsJson,
  },
} as unknown as NonNullable<FastifyServerOptions['schemaController']>;
