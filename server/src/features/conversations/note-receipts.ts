import { numbersOf, toId } from '../../ground/lib/ids.ts'
import { parseJson } from '../../ground/lib/json.ts'
import { fromIso, hourMs } from '../../ground/lib/time.ts'
import { noteSource } from '../../memory/write/note-source.ts'
import { noteProposalSource } from '../../memory/write/proposals/note-proposal-source.ts'
import { findEntitiesByName } from '../../rows/entities.repo.ts'
import { findObservationsWith } from '../../rows/observations.repo.ts'
import type { Db } from '../../store/db.ts'
import type { Scope } from '../../tenancy/scope.ts'
import type { StoredTurn } from './turns.repo.ts'

/** Our tools that store facts, as agents call them: `mcp__loci__add_observations`, `loci.create_entities`. */
const storing = /loci.*[_./:-](?:create_entities|add_observations|update_observation)$/i
const jsonString = /"(?:[^"\\\n]|\\.)*"/g
const stringsMax = 2_000
const entitiesMax = 200
const proposalId = /\bprp_[0-9a-z]+\b/g
const proposalsMax = 20
/** The clock of the agent's machine may be wrong. */
const apartMaxMs = hourMs

/**
 * Gives facts the turn as their source whose call stored them. Answers of our tools name entities and texts, not ids, and
 * readers cut long ones in the middle, so every text that is whole in the call or its result is looked up; a fact counts
 * if it was written at about that time and names no source yet. What waits for a review is told by its id.
 */
export async function noteReceipts(db: Db, scope: Scope, turns: readonly StoredTurn[]): Promise<void> {
  for (const turn of turns) {
    const { tool } = turn
    if (tool === undefined || tool.ok === false || !storing.test(tool.name)) continue
    const ids = await findStored(db, scope, turn)
    const source = { conversationId: toId('cnv', turn.conversationId), turnId: toId('trn', turn.id) }
    await noteSource(db, scope, ids, source)
    const proposed = (turn.text.match(proposalId) ?? []).slice(0, proposalsMax)
    if (proposed.length === 0) continue
    const isMeant = ({ at }: { at: number }) => isThen(turn, at)
    await noteProposalSource(db, scope, numbersOf('prp', proposed), { source, isMeant })
  }
}

const isThen = (turn: StoredTurn, at: number) => Math.abs(at - turn.at) <= apartMaxMs

async function findStored(db: Db, scope: Scope, turn: StoredTurn): Promise<string[]> {
  const texts = stringsIn(`${turn.text}\n${turn.tool?.input ?? ''}`)
  const entities = (await findEntitiesByName(db, scope, texts)).slice(0, entitiesMax)
  const ids: string[] = []
  for (const { id } of entities) {
    for (const fact of await findObservationsWith(db, scope, id, texts))
      if (isThen(turn, fromIso(fact.updatedAt ?? fact.createdAt))) ids.push(fact.id)
  }
  return ids
}

/** The strings of JSON, also of JSON that is cut. */
function stringsIn(json: string): string[] {
  const found = new Set<string>()
  for (const [literal] of json.matchAll(jsonString)) {
    const text = parseJson(literal)
    if (typeof text === 'string' && text !== '') found.add(text)
    if (found.size === stringsMax) break
  }
  return [...found]
}
