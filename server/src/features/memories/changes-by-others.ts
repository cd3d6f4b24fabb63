import type { ChangeActor } from '@loci/contract/change-actor'
import type { Change } from '@loci/contract/changes'
import { chunksOf } from '../../ground/lib/chunks.ts'
import { inLine } from '../../ground/lib/for-models.ts'
import { breathe } from '../../ground/lib/pace.ts'
import { findNewestSeq, type LoggedChange, listLogged } from '../../memory/log/log.repo.ts'
import { toChanges } from '../../memory/log/read-changes.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import { subjectsOf } from './change-subjects.ts'
import { findChangedNames } from './changed-names.ts'
import { summarize } from './describe-call.ts'
import { shorten } from './not-found.ts'
import { toWriter } from './other-writers.ts'
import { findPeople } from './writers.repo.ts'

/** What somebody did to one entity. */
export type ChangeByOther = { at: string; by: string; entity: string; what: string }

/** The newest changes looked through, whoever made them. */
const changesRead = 2_000
const changesPerRead = 500
/** Changes by others that are put into words. */
const changesTold = 200
/** Changes whose states are read by one statement. */
const statesPerRead = 50
const entitiesTold = 5
const nameMax = 60

/**
 * What other people, or other agents' keys and connections, changed after a change: their newest by entity, at most
 * five. What was proposed and accepted counts as its proposer's. Nothing without `after`, which `newest` is for next time.
 */
export async function listChangesByOthers(
  ctx: Context,
  actor: Actor,
  after: number | undefined,
): Promise<{ newest: number; changes: ChangeByOther[] }> {
  const newest = await findNewestSeq(ctx.db, actor)
  if (after === undefined || after >= newest) return { newest, changes: [] }
  const { logged, writers } = await findByOthers(ctx, actor, { after, before: newest + 1 })
  const changes: Change[] = []
  for (const chunk of chunksOf(logged, statesPerRead)) {
    changes.push(...(await toChanges(ctx.db, actor, chunk)))
    await breathe()
  }
  return { newest, changes: await describe(ctx, actor, changes, writers) }
}

type Writers = Map<number, string>

/** Newest first, with who made each. */
async function findByOthers(
  { db }: Context,
  actor: Actor,
  { after, before }: { after: number; before: number },
): Promise<{ logged: LoggedChange[]; writers: Writers }> {
  const logged: LoggedChange[] = []
  const writers: Writers = new Map()
  let reached = before
  for (let read = 0; read < changesRead && logged.length < changesTold; read += changesPerRead) {
    const range = { after, before: reached }
    const page = await listLogged(db, actor, range, { order: 'desc', limit: changesPerRead })
    const authors = new Map(page.map(authorOf).map((one) => [one.id, one]))
    const people = await findPeople(db, actor.accountId, [...authors.values()])
    for (const change of page) {
      const author = authorOf(change)
      const person = people.get(author.id)
      if (author.kind === 'system' || isOwn(actor, author, person?.userId)) continue
      logged.push(change)
      writers.set(change.seq, shorten(toWriter(author, person?.name), nameMax))
    }
    if (page.length < changesPerRead) break
    reached = page.at(-1)!.seq
    await breathe()
  }
  return { logged: logged.slice(0, changesTold), writers }
}

const authorOf = ({ actor, behalf = actor }: LoggedChange): ChangeActor => behalf

/** By the caller's own key or connection, or by the caller's person without either. */
function isOwn(caller: Actor, { kind, id }: ChangeActor, userId: string | undefined): boolean {
  if (kind === 'api_key' || kind === 'oauth') return id === (caller.keyId ?? caller.connectionId)
  return userId === caller.userId
}

async function describe(
  ctx: Context,
  actor: Actor,
  changes: readonly Change[],
  writers: Writers,
): Promise<ChangeByOther[]> {
  const idOf = (change: Change) => subjectsOf(change)[0]!.id
  const groups = Map.groupBy(changes, (change) => `${idOf(change)} ${writers.get(change.seq)}`)
  const told = [...groups.values()].slice(0, entitiesTold)
  const newest = told.map((group) => group[0]!)
  const names = await findChangedNames(ctx, actor, newest)
  return told.map((group, index) => {
    const { seq, at } = newest[index]!
    const name = names.get(idOf(newest[index]!)) ?? 'a deleted entity'
    return {
      at: `${at.slice(0, 16)}Z`,
      by: writers.get(seq)!,
      entity: inLine(shorten(name, nameMax)),
      what: summarize(group),
    }
  })
}
