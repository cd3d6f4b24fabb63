/** Registering asks whether there is an account that waits for its owner. */
export const unclaimed = {
  name: '007-unclaimed',
  statements: () => [`create index accounts_by_unclaimed on accounts (unclaimed)`],
} as const
