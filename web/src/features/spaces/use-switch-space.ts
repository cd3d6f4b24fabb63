import type { Space } from '@loci/contract/spaces'
import { useNavigate } from '@tanstack/react-router'
import { addressOf, pageInOtherSpace } from './spaces.rules.ts'

/** Switches to another space; filters and selections in the address belong to the previous one and are dropped. */
export function useSwitchSpace(): (space: Space, spaces: readonly Space[]) => void {
  const navigate = useNavigate()
  return (space, spaces) =>
    void navigate({
      to: pageInOtherSpace(window.location.pathname),
      search: { space: addressOf(space, spaces) },
      hash: true,
    })
}
