/** The id of an object that Stripe returns either expanded or as an id. */
export const idOf = (value: string | { id: string } | null | undefined) =>
  typeof value === 'string' ? value : value?.id
