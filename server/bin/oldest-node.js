// Plain JavaScript, as loci.js.

/** The oldest Node that runs the published package: its SQLite is the first that returns rows as arrays. */
export const oldestNode = '22.16'
