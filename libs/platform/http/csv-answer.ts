import { StreamableFile } from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';

const TYPE = 'text/csv; charset=utf-8';

const HEADERS = {
  'Content-Disposition': {
    description: '`attachment` with a name for the file.',
    required: true,
    schema: { type: 'string' as const },
  },
};

/** Declares in the OpenAPI document that an operation answers with a CSV file. */
export function AnswersCsv(description: string, example: string): MethodDecorator {
  return ApiResponse({
    status: 200,
    description,
    headers: HEADERS,
    content: { 'text/csv': { schema: { type: 'string' }, example } },
  });
}

/** Sets the headers of a response of the API whose body is a CSV file. `name`: without `.csv`. */
export function setCsvHeaders(reply: FastifyReply, name: string): void {
  void reply.type(TYPE).header('content-disposition', dispositionOf(name));
}

/** Returns a CSV file as the response of a page. `name`: without `.csv`. */
export function csvDownload(name: string, file: string): StreamableFile {
  return new StreamableFile(Buffer.from(file), { type: TYPE, disposition: dispositionOf(name) });
}

function dispositionOf(name: string): string {
  return `attachment; filename="${name}.csv"`;
}
