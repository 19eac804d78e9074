import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Controller, Inject, Post } from '@nestjs/common';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { Test } from '@nestjs/testing';
import { form } from '#testing/upload-server';
import { Scratch } from '../media/scratch';
import { EnvelopeFilter } from '../http/envelope';
import { TextField } from '../http/fields';
import { readJsonBodies } from '../http/json-body';
import { acceptMultipart } from './accept-multipart';
import { UploadBody } from './upload-body';
import type { UploadRules } from './upload-rules';
import { Uploads, type PendingUpload } from './uploads';

class CommentDto {
  @TextField({ max: 20, required: true }) body: string;
}

const PHOTOS: UploadRules = { files: { photos: { maxBytes: 1000, min: 1, maxFiles: 2 } } };
const COMMENT: UploadRules<CommentDto> = { files: { image: { maxBytes: 1000 } }, fields: CommentDto, orJson: true };

@Controller()
class GalleryController {
  constructor(@Inject(Uploads) private readonly uploads: Uploads) {}

  @Post('photos')
  photos(@UploadBody(PHOTOS) upload: PendingUpload) {
    return this.uploads.receive(upload, async ({ files }) => ({ bytes: files.map(({ bytes }) => bytes) }));
  }

  @Post('comments')
  comment(@UploadBody(COMMENT) upload: PendingUpload<CommentDto>) {
    return this.uploads.receive(upload, async (received) => ({
      body: received.read().body,
      image: received.file('image')?.bytes ?? null,
    }));
  }

  @Post('likes')
  like() {
    return { liked: true };
  }
}

describe('@UploadBody', () => {
  let app: NestFastifyApplication;
  let folder: string;
  let origin: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'upload-body-'));
    const uploads = { provide: Uploads, useValue: new Uploads(new Scratch(folder)) };
    const testing = await Test.createTestingModule({
      controllers: [GalleryController],
      providers: [uploads],
    }).compile();
    app = testing.createNestApplication<NestFastifyApplication>(new FastifyAdapter(), {
      bodyParser: false,
      logger: false,
    });
    const fastify = app.getHttpAdapter().getInstance();
    fastify.decorateRequest('caller', null);
    readJsonBodies(fastify);
    acceptMultipart(fastify);
    app.useGlobalFilters(new EnvelopeFilter());
    await app.listen(0, '127.0.0.1');
    origin = await app.getUrl();
  });
  afterAll(async () => {
    await app.close();
    await rm(folder, { recursive: true });
  });

  const post = async (path: string, body: FormData | string) => {
    const answer = await fetch(origin + path, {
      method: 'POST',
      body,
      ...(typeof body === 'string' && { headers: { 'content-type': 'application/json' } }),
    });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };

  it('passes a form to the handler, and a JSON body if the rules of the route allow JSON', async () => {
    expect(await post('/photos', form(['photos[]', Buffer.alloc(7)]))).toEqual({ status: 201, body: { bytes: [7] } });
    expect(await post('/comments', form(['body', 'Ahoj'], ['image', Buffer.alloc(9)]))).toEqual({
      status: 201,
      body: { body: 'Ahoj', image: 9 },
    });
    expect(await post('/comments', '{"body":"Ahoj"}')).toEqual({ status: 201, body: { body: 'Ahoj', image: null } });
  });

  it('answers invalid requests with the error envelope', async () => {
    expect(await post('/comments', '{}')).toMatchObject({
      status: 422,
      body: { errors: { body: ['This is required.'] } },
    });
    expect(await post('/photos', '{}')).toMatchObject({
      status: 422,
      body: { errors: { photos: ['This must be a file.'] } },
    });
    expect(await post('/likes', form(['a', 'b']))).toMatchObject({
      status: 422,
      body: { errors: { body: ['The body cannot be read.'] } },
    });
  });

  it('describes the forms in the OpenAPI document', () => {
    const { paths } = SwaggerModule.createDocument(app, new DocumentBuilder().build());
    const file = { type: 'string', format: 'binary' };
    expect(paths['/photos']?.post?.requestBody).toMatchObject({
      content: {
        'multipart/form-data': {
          schema: {
            properties: { 'photos[]': { type: 'array', items: file, minItems: 1, maxItems: 2 } },
            required: ['photos[]'],
          },
        },
      },
    });
    expect(paths['/comments']?.post?.requestBody).toMatchObject({
      content: {
        'multipart/form-data': {
          schema: { properties: { image: file, body: { type: 'string' } }, required: ['body'] },
        },
        'application/json': expect.anything(),
      },
    });
  });
});
