import { program } from '@loci/contract/program'

export const version: string = program.version
