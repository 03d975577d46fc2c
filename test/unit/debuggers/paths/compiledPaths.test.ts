import { built, type PathCase, skaffold, testPaths } from './pathCase.ts';
import { workspace } from '../../../support/memoryFiles.ts';

const cases: PathCase[] = [
  {
    name: 'Go: built by a Dockerfile in a directory that is known',
    files: workspace([], {
      'skaffold.yaml': skaffold('    - image: web\n      context: web'),
      'web/go.mod': 'module shop.example/web',
      'web/main.go': 'package main',
      'web/Dockerfile':
        'FROM golang AS build\nWORKDIR /src\nCOPY go.* ./\nRUN go mod download\nCOPY . .\nRUN go build -o /web\nFROM scratch\nCOPY --from=build /web /web\n',
    }),
    container: built({ runtime: 'go', artifact: 'web' }),
    want: { local: '/ws/web', builtIn: '/src', module: { path: 'shop.example/web', main: 'shop.example/web' } },
    says: /builds it in \/src/,
  },
  {
    name: 'Go: with -trimpath, and the package that is built',
    files: workspace(['cmd/a/a.go', 'cmd/b/b.go'], {
      'skaffold.yaml': skaffold('    - image: web'),
      'go.mod': 'module shop.example/all',
      Dockerfile:
        'FROM golang AS build\nWORKDIR /src\nCOPY . .\nRUN CGO_ENABLED=0 go build -trimpath -o /web ./cmd/b\nFROM scratch\nCOPY --from=build /web /web\n',
    }),
    container: built({ runtime: 'go', artifact: 'web' }),
    want: {
      local: '/ws',
      builtIn: 'shop.example/all',
      module: { path: 'shop.example/all', main: 'shop.example/all/cmd/b' },
    },
    says: /-trimpath/,
  },
  {
    name: 'Go: ko and the package that it builds',
    files: workspace(['cmd/web/main.go'], {
      'skaffold.yaml': skaffold('    - image: web\n      context: .\n      ko: { dir: ., main: ./cmd/web }'),
      'go.mod': 'module shop',
    }),
    container: built({ runtime: 'go', artifact: 'web' }),
    want: { local: '/ws', module: { path: 'shop', main: 'shop/cmd/web' } },
  },
  {
    name: 'Go: a workspace of several modules',
    files: workspace([], {
      'skaffold.yaml': skaffold('    - image: web\n      context: .\n      ko: { dir: web }'),
      'go.work': 'go 1.22\nuse (\n\t./web // here\n\t./lib\n)\nuse ./gone\n',
      'web/go.mod': 'module shop.example/web',
      'web/main.go': 'package main',
      'lib/go.mod': 'module shop.example/lib',
    }),
    container: built({ runtime: 'go', artifact: 'web' }),
    want: {
      local: '/ws/web',
      module: {
        path: 'shop.example/web',
        main: 'shop.example/web',
        others: { 'shop.example/lib': '/ws/lib' },
      },
    },
    says: /go\.work has more modules: shop\.example\/lib/,
  },
  {
    name: 'Java: a module of a Maven build, then the others; its project by name',
    files: workspace(['app/src/main/java/A.java', 'lib/src/main/java/B.java', 'lib/src/main/kotlin/C.kt'], {
      'skaffold.yaml': skaffold('    - image: web\n      jib: { project: app }'),
      'pom.xml': '<project><artifactId>all</artifactId><modules><module>app</module></modules></project>',
      'app/pom.xml':
        '<project><parent><artifactId>all</artifactId></parent><artifactId>shop-app</artifactId><dependencies><dependency><artifactId>x</artifactId></dependency></dependencies></project>',
      'lib/pom.xml': '<project/>',
    }),
    container: built({ runtime: 'jvm', artifact: 'web' }),
    want: {
      local: '/ws/app/src/main/java',
      sourceRoots: ['/ws/app/src/main/java', '/ws/lib/src/main/java', '/ws/lib/src/main/kotlin'],
      project: 'shop-app',
    },
  },
  {
    name: 'Java: a Gradle build, sources in a directory of their own in one module',
    files: workspace(
      [
        'services/app/src/main/kotlin/A.kt',
        'lib/build.gradle',
        'lib/src/main/java/B.java',
        'services/app/build.gradle.kts',
      ],
      {
        'skaffold.yaml': skaffold('    - image: web\n      jib: { type: gradle, project: ":services:app" }'),
        'settings.gradle.kts': 'include("services:app", "lib")',
      },
    ),
    container: built({ runtime: 'jvm', artifact: 'web' }),
    want: {
      local: '/ws/services/app/src/main/kotlin',
      sourceRoots: ['/ws/services/app/src/main/kotlin', '/ws/lib/src/main/java'],
    },
  },
  {
    name: 'Java: the directory that pom.xml names; a property in a name is not known',
    files: workspace(['code/A.java'], {
      'pom.xml':
        '<project><artifactId>${x}</artifactId><build><sourceDirectory>code</sourceDirectory></build></project>',
    }),
    container: built({ runtime: 'jvm' }),
    want: { local: '/ws/code' },
  },
  {
    name: 'C++: where the compiler has seen the sources',
    files: workspace(['src/a.cc', 'CMakeLists.txt'], {
      'skaffold.yaml': skaffold('    - image: web'),
      Dockerfile:
        'FROM gcc AS b\nWORKDIR /build\nCOPY . .\nRUN make\nFROM debian\nWORKDIR /app\nCOPY --from=b /build/app /app/app\n',
    }),
    container: built({ runtime: 'native', artifact: 'web' }),
    want: { local: '/ws', remote: '/build' },
  },
];

for (const one of cases) void testPaths(one);
