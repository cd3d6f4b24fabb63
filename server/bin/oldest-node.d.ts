export const oldestNode: string
