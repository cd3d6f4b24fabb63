import type { Scope } from '../../tenancy/scope.ts'
import { findTurnRows, listTurnsAround, type TurnFilter } from '../store/turn-texts.repo.ts'
import type { SearchedTexts } from './passage-reader.ts'

/** The turns of a space's conversations, in place of the observations of its entities. */
export const turnTextsOf = (scope: Scope, filter: TurnFilter): SearchedTexts => ({
  findRows: (db, _index, ids) => findTurnRows(db, scope, ids, filter),
  listAround: (db, _index, turns, sizes) => listTurnsAround(db, scope, turns, sizes),
  listAfter: (db, _index, turns, afterMax) => listTurnsAround(db, scope, turns, { beforeMax: 0, afterMax }),
  listFirst: async () => [],
})
