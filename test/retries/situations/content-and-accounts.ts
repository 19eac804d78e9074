import type { Person } from '#testing/people';
import { NEW_POST, type SituationBuilder, type SituationFactories, type Write } from './situation-builder';

/** A public address. These tests use JOBS=off, so no webhook is sent to this address. */
const RECEIVER = 'https://93.184.216.34/';

export function textWrites(make: SituationBuilder): SituationFactories {
  const postWrite = async (method: string, suffix: string, more: Partial<Write> = {}): Promise<Write> => {
    const { who, path } = await make.post();
    return { who, method, path: `${path}${suffix}`, status: method === 'DELETE' ? 204 : 200, ...more };
  };
  const puls = [
    ['latitude', '50.08'],
    ['longitude', '14.42'],
    ['body', 'Kvete to'],
  ] as const;
  return {
    createPost: async () => ({
      who: await make.someone(),
      method: 'POST',
      path: '/posts',
      json: NEW_POST,
      status: 201,
    }),
    updatePost: () => postWrite('PATCH', '', { json: { title: 'Jinak' } }),
    deletePost: () => postWrite('DELETE', ''),
    uploadPostCover: () => postWrite('POST', '/cover', { form: [['cover', make.image]] }),
    deletePostCover: async () => {
      const { who, path } = await make.post();
      await who.api.upload(`${path}/cover`, [['cover', new Blob([new Uint8Array(make.image)]), 'a.png']]);
      return { who, method: 'DELETE', path: `${path}/cover`, status: 204 };
    },
    commentOnPost: () => postWrite('POST', '/comments', { json: { body: 'Ahoj' }, status: 201 }),
    commentOnEvent: async () => {
      const { host, path } = await make.event();
      return { who: host, method: 'POST', path: `${path}/comments`, json: { body: 'Ahoj' }, status: 201 };
    },
    deleteComment: async () => {
      const { who, path } = await make.post();
      return {
        who,
        method: 'DELETE',
        path: `/comments/${(await who.api.post(`${path}/comments`, { body: 'Ahoj' })).body.data.id as string}`,
        status: 204,
      };
    },
    createPuls: async () => ({ who: await make.someone(), method: 'POST', path: '/puls', form: puls, status: 201 }),
    deletePuls: async () => {
      const who = await make.someone();
      return {
        who,
        method: 'DELETE',
        path: `/puls/${(await who.api.upload('/puls', puls)).body.data.id as string}`,
        status: 204,
      };
    },
    createReport: async () => {
      const { path } = await make.post();
      return {
        who: await make.someone(),
        method: 'POST',
        path: '/reports',
        json: { subject_type: 'post', subject_id: path.slice('/posts/'.length), reason: 'spam' },
        status: 201,
      };
    },
  };
}

export function messageAndExpenseWrites(make: SituationBuilder): SituationFactories {
  const cake = { title: 'Dort', amount: 240 };
  const eventWithExpense = async (): Promise<{ host: Person; guest: Person; path: string }> => {
    const found = await make.eventWith('confirmed');
    await found.host.api.post(`${found.path}/expenses`, cake);
    return found;
  };
  return {
    sendEventMessage: async () => {
      const { host, path } = await make.eventWith('confirmed');
      return { who: host, method: 'POST', path: `${path}/messages`, json: { text: 'Ahoj', to: 'all' }, status: 201 };
    },
    addEventExpense: async () => {
      const { host, path } = await make.event();
      return { who: host, method: 'POST', path: `${path}/expenses`, json: cake, status: 201 };
    },
    deleteEventExpense: async () => {
      const { host, path } = await make.event();
      return {
        who: host,
        method: 'DELETE',
        path: `${path}/expenses/${(await host.api.post(`${path}/expenses`, cake)).body.data.id as string}`,
        status: 204,
      };
    },
    recordEventPayment: async () => {
      const { host, guest, path } = await eventWithExpense();
      return {
        who: guest,
        method: 'POST',
        path: `${path}/expenses/payments`,
        json: { to: host.slug, amount: 120, currency: 'CZK' },
        status: 201,
      };
    },
    deleteEventPayment: async () => {
      const { host, guest, path } = await eventWithExpense();
      const { body } = await guest.api.post(`${path}/expenses/payments`, {
        to: host.slug,
        amount: 120,
        currency: 'CZK',
      });
      return { who: guest, method: 'DELETE', path: `${path}/expenses/payments/${body.data.id as string}`, status: 204 };
    },
  };
}

export function accountWrites(make: SituationBuilder): SituationFactories {
  const webhook = async (): Promise<{ who: Person; path: string }> => {
    const who = await make.someone();
    return { who, path: `/webhooks/${(await who.api.post('/webhooks', { url: RECEIVER })).body.data.id as string}` };
  };
  const webhookWrite = async (method: string, suffix: string, more: Partial<Write> = {}): Promise<Write> => {
    const { who, path } = await webhook();
    return { who, method, path: `${path}${suffix}`, status: 200, ...more };
  };
  return {
    createWebhook: async () => ({
      who: await make.someone(),
      method: 'POST',
      path: '/webhooks',
      json: { url: RECEIVER },
      status: 201,
    }),
    updateWebhook: () => webhookWrite('PATCH', '', { json: { description: 'robot' } }),
    deleteWebhook: () => webhookWrite('DELETE', '', { status: 204 }),
    rotateWebhookSecret: () => webhookWrite('POST', '/rotate'),
    testWebhook: () => webhookWrite('POST', '/test', { status: 202 }),
    retryWebhookDelivery: async () => {
      const { who, path } = await webhook();
      const { body } = await who.api.post(`${path}/test`);
      return { who, method: 'POST', path: `${path}/deliveries/${body.data.id as string}/retry`, status: 202 };
    },
    blockUser: async () => ({
      who: await make.someone(),
      method: 'PUT',
      path: `/blocks/${(await make.someone()).slug}`,
      status: 204,
    }),
    unblockUser: async () => {
      const [who, other] = [await make.someone(), await make.someone()];
      await who.api.put(`/blocks/${other.slug}`);
      return { who, method: 'DELETE', path: `/blocks/${other.slug}`, status: 204 };
    },
    renewCalendarAddress: async () => ({
      who: await make.someone(),
      method: 'POST',
      path: '/user/calendar/renew',
      status: 200,
    }),
    readNotices: async () => {
      const { guest, host, path } = await make.eventWith('confirmed');
      await host.api.delete(`${path}/participants/${guest.slug}`);
      const { body } = await guest.api.get('/notices');
      return {
        who: guest,
        method: 'POST',
        path: '/notices/read',
        json: { up_to: body.data[0].id as string },
        status: 200,
      };
    },
  };
}
