import js from '@eslint/js';
import tseslint from 'typescript-eslint';

export default tseslint.config(
  {
    ignores: [
      'dist/**',
      '.dist-*/**',
      'node_modules/**',
      '.data/**',
      '.cache/**',
      'docs/**',
      'libs/sdk/src/generated/**',
      'test/sdk/stories/**',
    ],
  },
  js.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [...tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/consistent-type-imports': [
        'error',
        { fixStyle: 'inline-type-imports', disallowTypeAnnotations: false },
      ],
      '@typescript-eslint/explicit-module-boundary-types': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/no-extraneous-class': 'off',
      '@typescript-eslint/require-await': 'off',
      'no-restricted-properties': [
        'error',
        {
          object: 'URL',
          property: 'canParse',
          message:
            'In Node 20 and 22, URL.canParse refuses addresses with accents after a few thousand calls: use parseUrl.',
        },
      ],
      'no-restricted-syntax': [
        'error',
        {
          selector: 'ExportAllDeclaration',
          message: 'No `export *` (barrel files): import a name from the file that defines it.',
        },
        { selector: 'ExportDefaultDeclaration', message: 'Named exports only.' },
        {
          selector: "CallExpression[callee.name='forwardRef']",
          message: 'No forwardRef: raise a signal in the lower area (docs/ARCHITECTURE.md).',
        },
        {
          selector: "CallExpression[callee.object.name='Date'][callee.property.name='now']",
          message: 'Time comes from the injected Clock.',
        },
        {
          selector: 'NewExpression[callee.name="Date"][arguments.length=0]',
          message: 'Time comes from the injected Clock.',
        },
      ],
    },
  },
  {
    // Nest reads the types of constructor parameters at run time; a type-only import would remove them.
    files: ['apps/**/*.ts', 'libs/**/*.ts'],
    rules: { '@typescript-eslint/consistent-type-imports': 'off' },
  },
  {
    // The SDK is not a part of the service and has no injected clock.
    files: ['libs/sdk/**/*.ts'],
    rules: { 'no-restricted-syntax': 'off' },
  },
  {
    files: ['**/*.spec.ts', 'test/**/*.ts', 'libs/testing/**/*.ts', 'bench/**/*.ts'],
    rules: {
      'no-restricted-syntax': 'off',
      '@typescript-eslint/explicit-module-boundary-types': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
    },
  },
  {
    // `no-useless-assignment` does not recognize that a decorator uses a pipe such as
    // `const ReportIdPipe = idPipe('report')`. The compiler option noUnusedLocals reports unused pipes.
    files: ['**/*.controller.ts', '**/*.pages.ts'],
    rules: { 'no-useless-assignment': 'off' },
  },
  {
    // The functions with which plugins decorate Fastify do not use `this`, so they may be passed without their object.
    files: ['libs/web/**/*.ts'],
    rules: { '@typescript-eslint/unbound-method': 'off' },
  },
  {
    // Scripts that run in the reader's browser.
    files: ['libs/web/assets/*.js'],
    languageOptions: {
      sourceType: 'script',
      globals: {
        document: 'readonly',
        navigator: 'readonly',
        window: 'readonly',
        location: 'readonly',
        matchMedia: 'readonly',
        addEventListener: 'readonly',
        atob: 'readonly',
        customElements: 'readonly',
        history: 'readonly',
        self: 'readonly',
        HTMLElement: 'readonly',
        MutationObserver: 'readonly',
        ResizeObserver: 'readonly',
        DOMParser: 'readonly',
        Node: 'readonly',
        XMLHttpRequest: 'readonly',
        createImageBitmap: 'readonly',
        getSelection: 'readonly',
        CSS: 'readonly',
        SwaggerUIBundle: 'readonly',
      },
    },
  },
  {
    files: ['examples/browser-app/*.js'],
    languageOptions: {
      globals: { document: 'readonly', history: 'readonly', location: 'readonly', sessionStorage: 'readonly' },
    },
  },
  {
    // The page for checking people in at the door works without a network. With these globals it stores data, computes
    // hashes and reads codes.
    files: ['libs/web/assets/door*.js'],
    languageOptions: {
      globals: {
        BarcodeDetector: 'readonly',
        CSS: 'readonly',
        TextEncoder: 'readonly',
        caches: 'readonly',
        crypto: 'readonly',
        indexedDB: 'readonly',
        localStorage: 'readonly',
        self: 'readonly',
      },
    },
  },
  {
    files: ['**/*.{mjs,cjs,js}'],
    languageOptions: {
      globals: {
        __dirname: 'readonly',
        process: 'readonly',
        console: 'readonly',
        module: 'writable',
        require: 'readonly',
        URL: 'readonly',
        Buffer: 'readonly',
        setTimeout: 'readonly',
        clearTimeout: 'readonly',
        setInterval: 'readonly',
        clearInterval: 'readonly',
        Blob: 'readonly',
        FormData: 'readonly',
        Response: 'readonly',
        URLSearchParams: 'readonly',
        fetch: 'readonly',
        AbortController: 'readonly',
        AbortSignal: 'readonly',
        performance: 'readonly',
      },
    },
  },
);
