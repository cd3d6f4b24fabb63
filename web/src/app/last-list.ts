import type { HistoryLocation } from '@tanstack/react-router'
import { currentScope, type Scope } from '../lib/scope.ts'
import { parseSearch } from '../lib/search-params.ts'

type LastList = { search: { query?: string; type?: string }; index: number | undefined }

let last: LastList & { scope: Scope } = { search: {}, index: undefined, scope: currentScope() }

/** Remembers the address of the entity list last shown in this tab. */
export function noteList({ pathname, search, state }: HistoryLocation): void {
  if (pathname !== '/entities') return
  last = { search: parseSearch(search), index: state.__TSR_index, scope: currentScope() }
}

/** The filters of that list and its position in the tab's history. A list of another space does not count. */
export function lastList(): LastList {
  return last.scope === currentScope() ? last : { search: {}, index: undefined }
}
