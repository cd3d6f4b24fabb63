import type { Scope } from '../scope.ts'

/** What the credential of a shared page names: the space and the share. */
export const subjectOfShare = (spaceId: number, id: string) => `${spaceId}/${id}`

export function readShareSubject(subject: string): Pick<Scope, 'spaceId'> & { id: string } {
  const [spaceId, id = ''] = subject.split('/')
  return { spaceId: Number(spaceId), id }
}
