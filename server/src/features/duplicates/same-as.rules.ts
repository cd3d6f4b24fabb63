const sameAs =
  /\b(?:known as|same as|same thing|alias|aka|nicknamed?|abbreviat\w*|acronym|stands for|short for|duplicates?|identical)\b/

/** Whether relations of a type say that their two ends are one thing, such as `also_known_as`. */
export const saysSame = (relationType: string): boolean =>
  sameAs.test(relationType.toLowerCase().replaceAll(/[^\p{L}]+/gu, ' '))
