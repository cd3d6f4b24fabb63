export function explainMissingLinks(modules: string): string | undefined
