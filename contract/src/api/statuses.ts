/** Statuses of success, as an endpoint declares them. */
export const json = { status: 200 } as const
export const created = { status: 201 } as const
export const accepted = { status: 202 } as const
export const empty = { status: 204 } as const
