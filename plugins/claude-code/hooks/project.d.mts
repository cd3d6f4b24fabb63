export function projectNameOf(folder: string): string

export function nameOfFolder(folder: string): string

export function mainFolderOf(folder: string): string | undefined
