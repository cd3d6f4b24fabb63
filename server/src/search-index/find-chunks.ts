/** Letters, digits and the marks on them, held together by the punctuation of identifiers, numbers and names. */
const chunkPattern =
  /[\p{L}\p{N}\p{M}_\u00ad\u200c\u200d]+(?:['’.\-:,&/\\@][\p{L}\p{N}\p{M}_\u00ad\u200c\u200d]+)*(?:\+\+|#)?/gu

/** What a text is read as, from space to space about, with where each begins (UTF-16). */
export type FoundChunks = { starts: number[]; texts: string[] }

const isAscii = /^\p{ASCII}*$/u
const [part, joint] = [1, 2]
const asciiKinds = new Uint8Array(128)
for (let code = 0; code < asciiKinds.length; code += 1) {
  const character = String.fromCharCode(code)
  if (/\w/.test(character)) asciiKinds[code] = part
  else if ("'.-:,&/\\@".includes(character)) asciiKinds[code] = joint
}

export function findChunks(text: string): FoundChunks {
  return isAscii.test(text) ? findInAscii(text) : findByPattern(text)
}

function findByPattern(text: string): FoundChunks {
  const found: FoundChunks = { starts: [], texts: [] }
  for (const match of text.matchAll(chunkPattern)) {
    found.starts.push(match.index)
    found.texts.push(match[0])
  }
  return found
}

/** The same as the pattern finds, several times as fast. */
function findInAscii(text: string): FoundChunks {
  const found: FoundChunks = { starts: [], texts: [] }
  const kindAt = (index: number) => asciiKinds[text.charCodeAt(index)]
  for (let start = 0; start < text.length; start += 1) {
    if (kindAt(start) !== part) continue
    let end = start + 1
    while (kindAt(end) === part || (kindAt(end) === joint && kindAt(end + 1) === part)) end += 1
    if (text[end] === '#') end += 1
    else if (text[end] === '+' && text[end + 1] === '+') end += 2
    found.starts.push(start)
    found.texts.push(text.slice(start, end))
    start = end - 1
  }
  return found
}
