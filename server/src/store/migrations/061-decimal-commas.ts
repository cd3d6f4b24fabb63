import type { Migration } from '../migration.ts'

/** Version 7 of the search index, which has decimal commas as points. */
export const decimalCommas: Migration = {
  name: '061-decimal-commas',
  endsOlder: 'the search index has other terms for numbers with a comma',
  statements: () => [],
}
