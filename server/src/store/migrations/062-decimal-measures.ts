import type { Migration } from '../migration.ts'

/** Version 8 of the search index, which has decimal commas before a unit ("1,5kg") as points. */
export const decimalMeasures: Migration = {
  name: '062-decimal-measures',
  endsOlder: 'the search index has other terms for numbers with a comma and a unit',
  statements: () => [],
}
