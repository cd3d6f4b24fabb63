import type { ChangeActor } from '@loci/contract/change-actor'
import { findCallerName } from '../../memory/log/actors.repo.ts'
import type { Context } from '../../tenancy/context.ts'
import type { Recall } from '../../tenancy/usage/recalls.repo.ts'

type Asker = Pick<Recall, 'kind' | 'ref' | 'client'>
export type Namer = (asker: Asker) => Promise<ChangeActor>

/** Names who asked, with one look-up for each key, connection and person; the name of a deleted one is empty. */
export function namerOf({ db }: Pick<Context, 'db'>, accountId: number): Namer {
  const names = new Map<string, Promise<string>>()
  return async ({ kind, ref, client }) => {
    const key = `${kind} ${ref}`
    const name = names.get(key) ?? findCallerName(db, accountId, toCaller(kind, ref))
    names.set(key, name)
    return { kind, id: ref, name: await name, ...(client === null ? {} : { client }) }
  }
}

function toCaller(kind: Recall['kind'], ref: string): Parameters<typeof findCallerName>[2] {
  if (kind === 'api_key') return { keyId: ref, userId: '' }
  if (kind === 'oauth') return { connectionId: ref, userId: '' }
  return { userId: ref }
}
