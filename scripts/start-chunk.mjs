/**
 * How to split a bundle: what every start of the program loads is one file. Finding, reading and linking the hundred that
 * it would be, since later parts share it, takes a sixth of a start. Without `main` itself, which later parts would wait
 * for, and without what `threads` load too: for that, the bundle needs `preserveEntrySignatures`.
 */
export function startChunk(main, threads = []) {
  let atStart
  let inThreads
  return {
    includeDependenciesRecursively: false,
    groups: [
      {
        debugName: 'start',
        name: (id, graph) => {
          atStart ??= importsOf([main], graph)
          inThreads ??= importsOf(threads, graph)
          return id !== main && atStart.has(id) && !inThreads.has(id) ? 'start' : null
        },
      },
    ],
  }
}

function importsOf(entries, graph) {
  const found = new Set(entries)
  for (const id of found)
    for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) found.add(imported)
  return found
}
