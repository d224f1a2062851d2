;;; gdl-mode.el --- Rules of games in GDL, with the language server of Kolibri  -*- lexical-binding: t -*-

;; SPDX-License-Identifier: MIT OR Apache-2.0
;; Version: 0.1.0
;; Package-Requires: ((emacs "27.1"))
;; Keywords: languages, games

;;; Commentary:

;; A major mode for rule files in GDL, the Game Description Language, in KIF syntax.  `eglot' (part of Emacs 29, a
;; package before that) connects it with the language server `kolibri lsp'.

;;; Code:

(require 'compile)

(defvar eglot-server-programs)

(defgroup gdl nil
  "Rules of games in GDL."
  :group 'languages)

(defcustom gdl-program "kolibri"
  "The program `kolibri', by its name or its path."
  :type 'string)

(defcustom gdl-indent-step 4
  "How much deeper the parts of a list stand than the list; `kolibri fmt' takes 4."
  :type 'integer
  :safe #'integerp)

(defconst gdl-keywords '("role" "init" "true" "next" "legal" "does" "goal" "terminal" "base" "input")
  "The relations whose meaning GDL fixes.")

(defconst gdl-connectives '("not" "or" "distinct" "<=")
  "The words that join conditions.")

(defvar gdl-mode-syntax-table
  (let ((table (make-syntax-table)))
    ;; A word is whatever stands between blanks, parentheses and comments.
    (dolist (character (number-sequence ?! ?~))
      (modify-syntax-entry character "_" table))
    (dolist (range '((?0 . ?9) (?a . ?z) (?A . ?Z)))
      (modify-syntax-entry range "w" table))
    (modify-syntax-entry ?\( "()" table)
    (modify-syntax-entry ?\) ")(" table)
    (modify-syntax-entry ?\; "<" table)
    (modify-syntax-entry ?\n ">" table)
    (modify-syntax-entry ?\r ">" table)
    table)
  "The characters of GDL.")

(defun gdl--whole (words)
  "A pattern for WORDS that are not parts of other words."
  (concat "\\_<" (regexp-opt words) "\\_>"))

(defconst gdl-font-lock-keywords
  `((,(gdl--whole gdl-keywords) . 'font-lock-keyword-face)
    (,(gdl--whole gdl-connectives) . 'font-lock-builtin-face)
    (,(gdl--whole '("random")) . 'font-lock-constant-face)
    ("\\_<\\?\\(?:\\sw\\|\\s_\\)*" . 'font-lock-variable-name-face)
    ("(\\([^][:space:]();?]\\(?:\\sw\\|\\s_\\)*\\)" 1 'font-lock-function-name-face))
  "What has colours in rule files.")

(defun gdl--depth ()
  "The column that this line should begin at."
  (save-excursion
    (beginning-of-line)
    (let ((list-start (nth 1 (syntax-ppss))))
      (if (not list-start)
          0
        (let ((closes (looking-at-p "[[:blank:]]*)")))
          (goto-char list-start)
          (+ (current-indentation) (if closes 0 gdl-indent-step)))))))

(defun gdl-indent-line ()
  "Indent this line as `kolibri fmt' does."
  (interactive)
  (let ((from-end (- (point-max) (point))))
    (indent-line-to (gdl--depth))
    (when (> (- (point-max) from-end) (point))
      (goto-char (- (point-max) from-end)))))

;; The places of mistakes in what the program prints.
(add-to-list 'compilation-error-regexp-alist 'kolibri)
(add-to-list 'compilation-error-regexp-alist-alist
             '(kolibri "^ *\\(?:-->\\|:::\\) \\(.+\\):\\([0-9]+\\):\\([0-9]+\\)$" 1 2 3))

(defun gdl--run (command &optional interactively)
  "Run COMMAND of the program on this file; INTERACTIVELY where a person types."
  (save-buffer)
  (let ((words (list gdl-program command "--color" "never" (buffer-file-name))))
    (compile (mapconcat #'shell-quote-argument words " ") interactively)))

(defun gdl-check ()
  "List every mistake of this rule file."
  (interactive)
  (gdl--run "check"))

(defun gdl-playtest ()
  "Look for faults of this game that show only in play."
  (interactive)
  (gdl--run "playtest"))

(defun gdl-play ()
  "Play this game against the computer."
  (interactive)
  (gdl--run "play" t))

(defvar gdl-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "C-c C-c") #'gdl-check)
    (define-key map (kbd "C-c C-t") #'gdl-playtest)
    (define-key map (kbd "C-c C-p") #'gdl-play)
    map)
  "The keys of `gdl-mode'.")

;;;###autoload
(define-derived-mode gdl-mode prog-mode "GDL"
  "Major mode for rules of games in GDL, the Game Description Language."
  (setq-local comment-start "; ")
  (setq-local comment-start-skip ";+[[:blank:]]*")
  (setq-local comment-end "")
  (setq-local indent-line-function #'gdl-indent-line)
  (setq-local indent-tabs-mode nil)
  (setq-local font-lock-defaults '(gdl-font-lock-keywords nil t))
  (setq-local imenu-generic-expression '((nil "^(<= (?\\([^][:space:]();?]+\\)" 1))))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.\\(?:kif\\|gdl\\)\\'" . gdl-mode))

(defun gdl--server (&rest _)
  "How to start the language server."
  (list gdl-program "lsp"))

(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs '(gdl-mode . gdl--server)))

(provide 'gdl-mode)
;;; gdl-mode.el ends here
