import { useComputedColorScheme } from '@mantine/core'

/** The current colour scheme, known from the first render on, so that nothing is drawn in the colours of the other. */
export const useScheme = () => useComputedColorScheme('light', { getInitialValueInEffect: false })
