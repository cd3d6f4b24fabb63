declare module 'virtual:rest-table' {
  import type { RestTable } from '@loci/client/call'

  export const restTable: RestTable
}
