import type { HistoryLocation } from '@tanstack/react-router'
import { currentScope, type Scope } from '../lib/scope.ts'
import { parseSearch } from '../lib/search-params.ts'

type LastList = { search: { query?: string; type?: string }; index: number | undefined }

let last: LastList & { scope: Scope } = { search: {}, index: undefined, scope: currentScope() }

/** Notes how the list of entities was last looked at in this tab. */
export function noteList({ pathname, search, state }: HistoryLocation): void {
  if (pathname !== '/entities') return
  last = { search: parseSearch(search), index: state.__TSR_index, scope: currentScope() }
}

/** The filters of that list, and its place in the history of the tab; another space's list is not this one's. */
export function lastList(): LastList {
  return last.scope === currentScope() ? last : { search: {}, index: undefined }
}
