import type { GraphTheme } from './types.ts'

export const lightTheme: GraphTheme = {
  scheme: 'light',
  background: '#ffffff',
  edge: '#8391a7',
  edgeStrong: '#475569',
  label: '#1e293b',
  labelMuted: '#64748b',
  selection: '#4338ca',
  path: '#db2777',
  recent: '#d98a06',
  wash: 0.85,
}

export const darkTheme: GraphTheme = {
  scheme: 'dark',
  background: '#14161b',
  edge: '#7d8aa0',
  edgeStrong: '#b6c2d4',
  label: '#e8ecf3',
  labelMuted: '#9aa7ba',
  selection: '#a5b4fc',
  path: '#f472b6',
  recent: '#e8a93a',
  wash: 0.85,
}

export function themeOf(theme: 'light' | 'dark' | GraphTheme | undefined): GraphTheme {
  if (theme === 'dark') return darkTheme
  return theme === undefined || theme === 'light' ? lightTheme : theme
}
