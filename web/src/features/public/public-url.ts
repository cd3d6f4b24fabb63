/** Placeholder for the server's address, which is unknown at build time; the server fills it in. */
export const publicUrl = '{{publicUrl}}'

/** Placeholder for the contact address for questions about plans; empty if the server has none. */
export const contactEmail = '{{contactEmail}}'
