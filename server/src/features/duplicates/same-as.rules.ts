const sameAs =
  /\b(?:known as|same as|same thing|alias|aka|nicknamed?|abbreviat\w*|acronym|stands for|short for|duplicates?|identical)\b/

/** Whether a relation type, such as `also_known_as`, says that its two ends are the same thing. */
export const saysSame = (relationType: string): boolean =>
  sameAs.test(relationType.toLowerCase().replaceAll(/[^\p{L}]+/gu, ' '))
