/** What a text answer of `recall` says, read back line by line. Throws for a line that none of its forms explains. */
export type ReadBack = {
  facts: { id: string; name: string; type: string; by?: string; lines: string[]; neighbours: string[][] }[]
  said: { id: string; lines: string[] }[]
  relations: string[][]
  entities: string[][]
}

const name = String.raw`("(?:[^"\\]|\\.)*"|[^"():|,>\[\]]+)`
/** An agent, and the project in which it works. */
const where = `${name}(?: in ${name})?`
const day = String.raw`\d{4}-\d\d-\d\d(?:T\d\d:\d\dZ)?`
const remark = String.raw`(?:${day}|(?:at|until|replaced by|newer:) \S+?)`
const forms = {
  heading: new RegExp(String.raw`^${name} \(${name}\)(?:, ${day})?:$`),
  rule: new RegExp(String.raw`^\(standing rule\) \[(obs_\w+)\] ${name} \(${name}\), ${day}: (.*)$`),
  fact: new RegExp(
    String.raw`^\[(obs_\w+)\](?: ${remark}(?:, ${remark})*)?(?:,? by ([^:]+?|"(?:[^"\\]|\\.)*".*?))?: (.*)$`,
  ),
  said: new RegExp(
    String.raw`^\(said\) \[(trn_\w+)\] \d{4}-\d\d-\d\d(?:T\S+)?, ${where}, (?:person|agent|tool)(?: ${name})?: (.*)$`,
  ),
  further: /^> (.*)$/,
  neighbour: /^ {2}\((?:before|after)\) (.*)$/,
  relation: new RegExp(`^- ${name} -> ${name} -> ${name}$`),
  entity: new RegExp(String.raw`^- ${name} \(${name}\)(?: \{.*\})?$`),
}

const unquoted = (text = '') => (text.startsWith('"') ? (JSON.parse(text) as string) : text)

export function readBack(text: string): ReadBack {
  const read: ReadBack = { facts: [], said: [], relations: [], entities: [] }
  let last: string[] | undefined
  let of: { name: string; type: string } | undefined
  for (const line of text.split('\n')) {
    const [form, found] = formOf(line)
    if (form === 'heading') of = { name: unquoted(found[1]), type: unquoted(found[2]) }
    else if (form === 'rule') {
      const [, id = '', called, type, first = ''] = found
      last = [first]
      read.facts.push({ id, name: unquoted(called), type: unquoted(type), lines: last, neighbours: [] })
    } else if (form === 'fact' && of !== undefined) {
      const [, id = '', by, first = ''] = found
      last = [first]
      const fact = { id, ...of, lines: last, neighbours: [] }
      read.facts.push(by === undefined ? fact : { ...fact, by })
    } else if (form === 'said') {
      last = [found.at(-1)!]
      read.said.push({ id: found[1]!, lines: last })
    } else if (form === 'further' && last !== undefined) last.push(found[1]!)
    else if (form === 'neighbour' && read.facts.length > 0) {
      last = [found[1]!]
      read.facts.at(-1)!.neighbours.push(last)
    } else if (form === 'relation') read.relations.push(found.slice(1, 4).map(unquoted))
    else if (form === 'entity') read.entities.push(found.slice(1, 3).map(unquoted))
    else if (line !== '') throw new Error(`A line of no form: ${JSON.stringify(line)}`)
    if (line === '') [last, of] = [undefined, undefined]
  }
  return read
}

function formOf(line: string): [keyof typeof forms | undefined, RegExpExecArray | string[]] {
  for (const [form, pattern] of Object.entries(forms)) {
    const found = pattern.exec(line)
    if (found !== null) return [form as keyof typeof forms, found]
  }
  return [undefined, []]
}
