import { addMember } from '#testing/groups';
import type { SituationBuilder, SituationFactories, Write } from './situation-builder';

export function groupWrites(make: SituationBuilder): SituationFactories {
  const groupWrite = async (method: string, suffix: string, more: Partial<Write> = {}): Promise<Write> => {
    const { host, path } = await make.group();
    return { who: host, method, path: `${path}${suffix}`, status: method === 'DELETE' ? 204 : 200, ...more };
  };
  const memberWrite = async (
    role: 'requested' | 'member',
    method: string,
    suffix: (slug: string) => string,
    sender: 'owner' | 'member',
  ): Promise<Write> => {
    const { host, group, path } = await make.group();
    const other = await make.someone();
    await addMember(make.server, group, other, role);
    return {
      who: sender === 'owner' ? host : other,
      method,
      path: `${path}${suffix(other.slug)}`,
      status: method === 'DELETE' ? 204 : 200,
    };
  };
  const pictureDeletion = async (picture: string): Promise<Write> => {
    const { host, path } = await make.group();
    await host.api.upload(`${path}/${picture}`, [[picture, new Blob([new Uint8Array(make.image)]), 'a.png']]);
    return { who: host, method: 'DELETE', path: `${path}/${picture}`, status: 204 };
  };
  const interestWrite = async (method: string): Promise<Write> => {
    const { host, path } = await make.group();
    const interestPath = `${path}/events/${(await make.event()).event.id}/interest`;
    if (method === 'DELETE') await host.api.put(interestPath);
    return { who: host, method, path: interestPath, status: 204 };
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
    leaveGroup: () => memberWrite('member', 'DELETE', () => '/join', 'member'),
    inviteGroupMember: async () =>
      groupWrite('POST', '/members', { json: { user: (await make.someone()).slug }, status: 201 }),
    approveGroupMember: () => memberWrite('requested', 'POST', (slug) => `/members/${slug}/approve`, 'owner'),
    removeGroupMember: () => memberWrite('member', 'DELETE', (slug) => `/members/${slug}`, 'owner'),
    uploadGroupAvatar: () => groupWrite('POST', '/avatar', { form: [['avatar', make.image]] }),
    deleteGroupAvatar: () => pictureDeletion('avatar'),
    uploadGroupCover: () => groupWrite('POST', '/cover', { form: [['cover', make.image]] }),
    deleteGroupCover: () => pictureDeletion('cover'),
    addGroupEventInterest: () => interestWrite('PUT'),
    removeGroupEventInterest: () => interestWrite('DELETE'),
  };
}
