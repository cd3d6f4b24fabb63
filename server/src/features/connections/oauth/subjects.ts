/**
 * A user in an account, or a connection, as the authorization server names them: both names begin with the account's
 * number, which locates their rows. Neither leaves this server.
 */
export type InAccount = { accountId: number; id: string }

export const toSubject = ({ accountId, id }: InAccount): string => `${accountId}.${id}`

export function readSubject(subject: string): InAccount {
  const point = subject.indexOf('.')
  return { accountId: Number(subject.slice(0, point)), id: subject.slice(point + 1) }
}
