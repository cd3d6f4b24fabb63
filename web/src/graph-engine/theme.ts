import type { GraphTheme } from './types.ts'

export const lightTheme: GraphTheme = {
  background: '#ffffff',
  edge: '#aab4c3',
  edgeStrong: '#475569',
  label: '#1e293b',
  labelMuted: '#64748b',
  selection: '#4338ca',
  path: '#db2777',
  wash: 0.86,
}

export const darkTheme: GraphTheme = {
  background: '#14161b',
  edge: '#566072',
  edgeStrong: '#b6c2d4',
  label: '#e8ecf3',
  labelMuted: '#9aa7ba',
  selection: '#a5b4fc',
  path: '#f472b6',
  wash: 0.84,
}

export function themeOf(theme: 'light' | 'dark' | GraphTheme | undefined): GraphTheme {
  if (theme === 'dark') return darkTheme
  return theme === undefined || theme === 'light' ? lightTheme : theme
}
