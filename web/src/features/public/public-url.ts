/** Stands for the address of the server, which puts its own in its place: the pages are built before it is known. */
export const publicUrl = '{{publicUrl}}'

/** Stands for the address that answers questions about plans; nothing where the server has none. */
export const contactEmail = '{{contactEmail}}'
