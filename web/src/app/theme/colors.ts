import type { MantineColorsTuple } from '@mantine/core'

/** The accent: focus, links, what is live or selected. Everything else is ink; colour belongs to the memories. */
export const iris: MantineColorsTuple = [
  '#f2f2ff',
  '#e3e3fe',
  '#c9c8fd',
  '#aaa7fb',
  '#8d8af7',
  '#726ef3',
  '#5b55ea',
  '#4c45d6',
  '#4038b8',
  '#332e91',
]

export const gray: MantineColorsTuple = [
  '#fafafa',
  '#f4f4f5',
  '#ebebee',
  '#dedee3',
  '#c6c6ce',
  '#9f9faa',
  '#75757f',
  '#55555e',
  '#3a3a42',
  '#1a1a1f',
]

/** From text (0) to the deepest ground (9). */
export const dark: MantineColorsTuple = [
  '#e7e7ea',
  '#b9b9c2',
  '#9797a3',
  '#5f5f6b',
  '#35363e',
  '#292a31',
  '#1b1c21',
  '#121317',
  '#0d0e11',
  '#08090b',
]
