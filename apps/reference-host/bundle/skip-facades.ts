import type { Plugin } from 'rolldown'

/** A file that only gives on what another one exports, under the same names. */
const FACADE = /^\s*export \{ \w+(?:, \w+)* \} from "\.\/([^"]+)";\s*$/
const DYNAMIC_IMPORT = /import\("\.\/([^"]+)"\)/g

/** Has imports load the file behind a facade, which would be one more file to open at a start. */
export function skipFacades(): Plugin {
  return {
    name: 'skip-facades',
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
      const behind = new Map<string, string>()
      for (const { fileName, isEntry, code } of chunks) {
        const target = isEntry ? undefined : FACADE.exec(code)?.[1]
        if (target !== undefined) behind.set(fileName, target)
      }
      for (const chunk of chunks) {
        const load = (_: string, file: string): string => `import("./${behind.get(file) ?? file}")`
        chunk.code = chunk.code.replace(DYNAMIC_IMPORT, load)
      }
      for (const facade of behind.keys()) delete bundle[facade]
    },
  }
}
