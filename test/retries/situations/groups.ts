import { addMember } from '#testing/groups';
import type { SituationBuilder, SituationFactories, Write } from './maker';

export function groupWrites(make: SituationBuilder): SituationFactories {
  const groupWrite = async (method: string, below: string, more: Partial<Write> = {}): Promise<Write> => {
    const { host, path } = await make.group();
    return { who: host, method, path: `${path}${below}`, status: method === 'DELETE' ? 204 : 200, ...more };
  };
  const member = async (
    role: 'requested' | 'member',
    method: string,
    below: (slug: string) => string,
    of: 'owner' | 'member',
  ): Promise<Write> => {
    const { host, group, path } = await make.group();
    const other = await make.someone();
    await addMember(make.server, group, other, role);
    return {
      who: of === 'owner' ? host : other,
      method,
      path: `${path}${below(other.slug)}`,
      status: method === 'DELETE' ? 204 : 200,
    };
  };
  const picture = async (which: string): Promise<Write> => {
    const { host, path } = await make.group();
    await host.api.upload(`${path}/${which}`, [[which, new Blob([new Uint8Array(make.image)]), 'a.png']]);
    return { who: host, method: 'DELETE', path: `${path}/${which}`, status: 204 };
  };
  const interest = async (method: string): Promise<Write> => {
    const { host, path } = await make.group();
    const below = `${path}/events/${(await make.event()).event.id}/interest`;
    if (method === 'DELETE') await host.api.put(below);
    return { who: host, method, path: below, status: 204 };
  };
  return {
    createGroup: async () => ({
      who: await make.someone(),
      method: 'POST',
      path: '/groups',
      json: { name: 'Parta' },
      status: 201,
    }),
    updateGroup: () => groupWrite('PATCH', '', { json: { name: 'Jinak' } }),
    deleteGroup: () => groupWrite('DELETE', ''),
    getGroupInviteLink: () => groupWrite('POST', '/invite-link'),
    joinGroup: async () => ({
      who: await make.someone(),
      method: 'POST',
      path: `${(await make.group()).path}/join`,
      status: 200,
    }),
    leaveGroup: () => member('member', 'DELETE', () => '/join', 'member'),
    inviteGroupMember: async () =>
      groupWrite('POST', '/members', { json: { user: (await make.someone()).slug }, status: 201 }),
    approveGroupMember: () => member('requested', 'POST', (slug) => `/members/${slug}/approve`, 'owner'),
    removeGroupMember: () => member('member', 'DELETE', (slug) => `/members/${slug}`, 'owner'),
    uploadGroupAvatar: () => groupWrite('POST', '/avatar', { form: [['avatar', make.image]] }),
    deleteGroupAvatar: () => picture('avatar'),
    uploadGroupCover: () => groupWrite('POST', '/cover', { form: [['cover', make.image]] }),
    deleteGroupCover: () => picture('cover'),
    addGroupEventInterest: () => interest('PUT'),
    removeGroupEventInterest: () => interest('DELETE'),
  };
}
