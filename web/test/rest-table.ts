/** Stands in for the table that the build derives from the contract. */
export { api as restTable } from '@loci/contract/api'
