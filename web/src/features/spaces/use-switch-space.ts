import type { Space } from '@loci/contract/spaces'
import { useNavigate } from '@tanstack/react-router'
import { addressOf, pageInOtherSpace } from './spaces.rules.ts'

/** Shows another space: what the address filters and selects belongs to the one that is left. */
export function useSwitchSpace(): (space: Space, spaces: readonly Space[]) => void {
  const navigate = useNavigate()
  return (space, spaces) =>
    void navigate({
      to: pageInOtherSpace(window.location.pathname),
      search: { space: addressOf(space, spaces) },
    })
}
