import type { HistoryLocation } from '@tanstack/react-router'
import { currentScope, type Scope } from '../lib/scope.ts'
import { parseSearch } from '../lib/search-params.ts'

/** The lists to which pages of single things lead back. */
const lists = ['/entities', '/conversations'] as const
export type ListPath = (typeof lists)[number]

type LastList = { search: Record<string, string>; index: number | undefined }

const none: LastList = { search: {}, index: undefined }
const last = new Map<string, LastList & { scope: Scope }>()

/** Remembers the address of each list as it was last shown in this tab. */
export function noteList({ pathname, search, state }: HistoryLocation): void {
  if (!lists.some((path) => path === pathname)) return
  last.set(pathname, { search: parseSearch(search), index: state.__TSR_index, scope: currentScope() })
}

/** The filters of that list and its position in the tab's history. A list of another space does not count. */
export function lastList(path: ListPath): LastList {
  const list = last.get(path)
  return list?.scope === currentScope() ? list : none
}
