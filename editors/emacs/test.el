;;; test.el --- Tests of gdl-mode  -*- lexical-binding: t -*-

;; emacs --batch -l editors/emacs/test.el   (from the root of the project)
;; With KOLIBRI=PROGRAM, the language server is tested, too; that needs eglot.

(require 'ert)
(require 'cl-lib)
(defconst gdl-test--folder (file-name-directory (or load-file-name buffer-file-name)))
(load (expand-file-name "gdl-mode.el" gdl-test--folder) nil t)

(defun gdl-test--faces (text words)
  "The faces that WORDS have in TEXT."
  (with-temp-buffer
    (insert text)
    (gdl-mode)
    (font-lock-ensure)
    (mapcar (lambda (word)
              (goto-char (point-min))
              (search-forward word)
              (get-text-property (match-beginning 0) 'face))
            words)))

(ert-deftest gdl-words-have-their-colours ()
  (should (equal (gdl-test--faces "(<= (NEXT (cell ?x-1 rolex)) (distinct ?y random)) ; note"
                                  '("<=" "NEXT" "cell" "?x-1" "rolex" "distinct" "random" "note"))
                 '(font-lock-builtin-face font-lock-keyword-face font-lock-function-name-face
                   font-lock-variable-name-face nil font-lock-builtin-face font-lock-constant-face
                   font-lock-comment-face))))

(defun gdl-test--shipped-games ()
  (directory-files (expand-file-name "../../games" gdl-test--folder) t "\\.kif\\'"))

(defun gdl-test--code-lines ()
  "The lines of this buffer that are not comments."
  (seq-remove (lambda (line) (string-match-p "^ *\\(;\\|$\\)" line)) (split-string (buffer-string) "\n")))

(ert-deftest gdl-indentation-is-that-of-the-formatter ()
  (dolist (file (gdl-test--shipped-games))
    (with-temp-buffer
      (insert-file-contents file)
      (gdl-mode)
      (let ((before (gdl-test--code-lines)))
        (goto-char (point-min))
        (while (not (eobp))
          (indent-line-to 0)
          (forward-line))
        (let ((inhibit-message t))
          (indent-region (point-min) (point-max)))
        (should (equal (gdl-test--code-lines) before))))))

(ert-deftest gdl-files-open-in-the-mode ()
  (with-current-buffer (find-file-noselect (car (gdl-test--shipped-games)))
    (should (eq major-mode 'gdl-mode))))

(defun gdl-test--wait (condition)
  "Let the server work until CONDITION returns something, which is returned."
  (cl-loop with end = (+ (float-time) 10)
           for found = (funcall condition)
           until (or found (> (float-time) end))
           do (accept-process-output nil 0.02)
           finally return found))

(defun gdl-test--diagnostics ()
  "What flymake shows in this buffer; in batch mode it starts only when it is told to."
  (flymake-start)
  (mapcar #'flymake-diagnostic-text (flymake-diagnostics)))

(ert-deftest gdl-check-leads-to-mistakes ()
  (skip-unless (getenv "KOLIBRI"))
  (let* ((gdl-program (getenv "KOLIBRI"))
         (folder (make-temp-file "gdl mode" t))
         (file (expand-file-name "faulty game.kif" folder)))
    (unwind-protect
        (with-current-buffer (find-file-noselect file)
          (insert "(role a)\n\n(<= (next (lost ?z))\n    (true (lost ?y)))\n")
          (gdl-check)
          (with-current-buffer "*compilation*"
            (gdl-test--wait (lambda () (not (get-buffer-process (current-buffer)))))
            (goto-char (point-min))
            (should (search-forward "binds `?z`" nil t))
            (search-forward "--> ")
            (compile-goto-error))
          (with-current-buffer (window-buffer)
            (should (equal (list (buffer-file-name) (line-number-at-pos)) (list file 3)))
            (should (looking-at-p "?z"))))
      (delete-directory folder t))))

(defmacro gdl-test--with-server (&rest body)
  "Run BODY in a copy of a shipped game that the language server of KOLIBRI watches."
  `(let* ((gdl-program (getenv "KOLIBRI"))
          (folder (make-temp-file "gdl" t))
          (file (expand-file-name "game.kif" folder)))
     (copy-file (expand-file-name "../../games/tictactoe.kif" gdl-test--folder) file)
     (unwind-protect
         (with-current-buffer (find-file-noselect file)
           (let ((eglot-sync-connect 10))
             (apply #'eglot (eglot--guess-contact)))
           (should (eglot-current-server))
           ,@body
           (set-buffer-modified-p nil)
           (eglot-shutdown (eglot-current-server)))
       (delete-directory folder t))))

(defun gdl-test--has-server ()
  (and (getenv "KOLIBRI") (require 'eglot nil t)))

(ert-deftest gdl-eglot-shows-diagnostics ()
  (skip-unless (gdl-test--has-server))
  (gdl-test--with-server
   (goto-char (point-max))
   (insert "(<= (next (lost ?z)) (true (lost ?y)))\n")
   (eglot--signal-textDocument/didChange)
   (let ((found (gdl-test--wait #'gdl-test--diagnostics)))
     (should (seq-some (lambda (text) (string-search "?z" text)) found)))))

(ert-deftest gdl-eglot-renames-and-formats ()
  (skip-unless (gdl-test--has-server))
  (gdl-test--with-server
   (let ((before (buffer-string)))
     (search-forward "(line ?p)")
     (backward-char 6)
     (eglot-rename "row")
     (should (equal (buffer-string) (string-replace "(line " "(row " before)))
     (goto-char (point-max))
     (insert "(<= (never ?x)   (index ?x))\n")
     (eglot-format-buffer)
     (should (string-suffix-p "(<= (never ?x)\n    (index ?x))\n" (buffer-string))))))

(ert-run-tests-batch-and-exit)
;;; test.el ends here
