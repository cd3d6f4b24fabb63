/** The fragment of a heading, as GitHub generates it: "Set up (`npm start`)" becomes "set-up-npm-start". */
export function slugOf(heading: string): string {
  const bare = heading.toLowerCase().replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
  return bare.replace(/[^\p{L}\p{N}\s_-]/gu, '').replace(/\s/g, '-')
}
