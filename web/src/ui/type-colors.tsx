import type { EntityTypeCount } from '@loci/contract/entities'
import { createContext, type ReactNode, useContext, useMemo } from 'react'
import { useEntityTypes } from '../lib/entity-types.ts'
import { colorOfPlace, placeOfType, type TypeColor } from '../lib/type-palette.ts'
import { useScheme } from '../lib/use-scheme.ts'

const noTypes: readonly EntityTypeCount[] = []
const TypesContext = createContext(noTypes)

/** Provides the colours that the space gives its entity types. */
export function TypeColorsProvider({ children }: { children: ReactNode }) {
  const { data = noTypes } = useEntityTypes()
  return <TypesContext value={data}>{children}</TypesContext>
}

/** The colour of a type in the current scheme, the same everywhere. */
export function useTypeColors(): (type: string) => TypeColor {
  const types = useContext(TypesContext)
  const scheme = useScheme()
  return useMemo(() => {
    const places = new Map(types.map(({ type, colour }) => [type, colour]))
    return (type) => colorOfPlace(places.get(type) ?? placeOfType(type), scheme)
  }, [types, scheme])
}
