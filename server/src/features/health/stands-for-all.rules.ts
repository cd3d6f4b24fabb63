import type { HealthEntity } from './health-source.ts'

const names =
  /^(?:(?:default|the|current)[_ ])?user$|^me$|^(?:general|misc|my|house|coding|working)?[_ -]?(?:notes|preferences|rules|conventions|guidelines|instructions|memory|memories|glossary)$/i
const types =
  /^(?:rules?|conventions?|preferences?|guidelines?|instructions?|polic(?:y|ies)|user|profile|glossary)$/i

/** Whether an entity stands for the whole memory, its person or its rules: everything else would lead to it. */
export const standsForAll = ({ name, type }: HealthEntity): boolean => names.test(name) || types.test(type)
