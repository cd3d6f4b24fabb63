import type { MantineColorsTuple } from '@mantine/core'

/* The library's scales, from light (0) to dark (9). The theme fills with shade 7 in light and 3 in dark;
   these two equal the tokens of `ui/tokens.css`. */

/** The accent: focus, links, live and selected items. Everything else is ink; colour is reserved for memories. */
export const iris: MantineColorsTuple = [
  '#f5f4fe',
  '#edebfb',
  '#c6c1f3',
  '#a7a1ff',
  '#8d86f3',
  '#746ce8',
  '#6058dc',
  '#4f46cf',
  '#4038ad',
  '#312b85',
]

export const gray: MantineColorsTuple = [
  '#f8f7f4',
  '#f3f1ec',
  '#e6e3dc',
  '#cdc8be',
  '#b2aca1',
  '#928d83',
  '#6c6972',
  '#55525c',
  '#38363f',
  '#1b1a1f',
]

/** From text (0) to the darkest background (9). */
export const dark: MantineColorsTuple = [
  '#eceef4',
  '#a9b0c0',
  '#8b93a5',
  '#667089',
  '#3a4254',
  '#232834',
  '#1a1e28',
  '#0e1016',
  '#0b0d12',
  '#08090c',
]

export const green: MantineColorsTuple = [
  '#f1f9f4',
  '#e3f3e8',
  '#b5e3c6',
  '#7fd6a0',
  '#4fc07c',
  '#2fa861',
  '#1f9a54',
  '#17713d',
  '#125a30',
  '#0d4324',
]

export const amber: MantineColorsTuple = [
  '#fdf8ea',
  '#fbf0d6',
  '#f6dba0',
  '#f0c069',
  '#e8a93a',
  '#d98a06',
  '#b06c02',
  '#835000',
  '#6a4100',
  '#503100',
]

export const red: MantineColorsTuple = [
  '#fdf4f2',
  '#fbeae7',
  '#ffc4bd',
  '#ff9a90',
  '#f06a5f',
  '#d8453b',
  '#c23129',
  '#ad231b',
  '#8a1b15',
  '#681410',
]
