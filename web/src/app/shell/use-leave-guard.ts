import { type ShouldBlockFn, useBlocker } from '@tanstack/react-router'
import { hasUnsaved, mayDiscard } from '../../lib/unsaved.ts'

type Place = { pathname: string; search: Record<string, unknown> }

/** Asks before the user leaves a page with unsaved text by a link, by Back or by closing the tab. */
export function useLeaveGuard(): void {
  useBlocker({ shouldBlockFn, enableBeforeUnload: hasUnsaved })
}

const shouldBlockFn: ShouldBlockFn = async ({ current, next }) =>
  !isSamePage(current, next) && !(await mayDiscard())

/** A changed filter or selection in the address keeps the page's forms. */
function isSamePage(a: Place, b: Place): boolean {
  return (
    a.pathname === b.pathname && a.search.space === b.search.space && a.search.account === b.search.account
  )
}
