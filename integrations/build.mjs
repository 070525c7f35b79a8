// One file per client, which it loads as it is: into the package, or with its tests into .tests/. An argument names
// another folder for the built files, to compare them with those in the package.
import { readdirSync } from "node:fs"
import { build } from "esbuild"

const forTests = process.argv[2] === "--tests"
const target = forTests ? ".tests" : (process.argv[2] ?? "../src/hardwon/integrations")
const plain = { bundle: true, platform: "node", format: "esm", target: "es2022", logLevel: "warning" }
const banner = { js: "// Built from integrations/opencode/src: change it there." }

if (forTests) {
  const tests = readdirSync("opencode/test").filter((name) => name.endsWith(".test.ts"))
  await build({
    ...plain,
    entryPoints: tests.map((name) => `opencode/test/${name}`),
    outdir: target,
    outExtension: { ".js": ".mjs" },
  })
} else {
  await build({ ...plain, banner, entryPoints: ["opencode/src/index.ts"], outfile: `${target}/opencode/hardwon.js` })
}
