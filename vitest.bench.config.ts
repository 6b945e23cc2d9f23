import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: [],
    benchmark: { include: ['{packages,apps}/*/{src,browser}/**/*.bench.ts'] },
    fileParallelism: false,
  },
})
