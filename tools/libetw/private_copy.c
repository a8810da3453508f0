// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The etw authors
/* Memory of the caller's is read and written so that a bad address is an error. */
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>
#include "private.h"

/*
 * As the kernel does it: there is one function that touches such memory. A fault
 * at one of its instructions goes on at private_copy_fault instead. The function
 * has no stack frame, so that all that has to be changed is the program counter.
 * Asking the kernel before each event (process_vm_readv()) would cost five times
 * what the event does.
 *
 * A header is read field by field: it was just filled in, and a load of more than
 * one store wrote waits until they have left the store buffer.
 *
 * The handlers of SIGSEGV and SIGBUS are there while a session is, over those that were
 * there when it started; faults that are not ours go to these.
 */
#if defined(__SANITIZE_THREAD__)
#define PLAIN_COPY	/* it must see all reads and writes */
#elif defined(__x86_64__)
asm(
"	.pushsection .text\n"
"	.p2align 6\n"
"	.hidden private_copy_begin, private_copy_fault, private_copy_raw\n"
"	.globl private_copy_begin, private_copy_fault, private_copy_raw\n"
"	.type private_copy_raw, @function\n"
"private_copy_raw:\n"
"private_copy_begin:\n"
"	.cfi_startproc\n"
"	cmpq $16, %rdx\n"
"	jb 3f\n"
"	movups -16(%rsi,%rdx), %xmm1\n"
"	cmpq $256, %rdx\n"
"	jae 2f\n"
"1:	cmpq $16, %rdx\n"
"	jbe 4f\n"
"	movups (%rsi), %xmm0\n"
"	movups %xmm0, (%rdi)\n"
"	addq $16, %rsi\n"
"	addq $16, %rdi\n"
"	subq $16, %rdx\n"
"	jmp 1b\n"
"4:	movups %xmm1, -16(%rdi,%rdx)\n"
"	xorl %eax, %eax\n"
"	ret\n"
"2:	movq %rdx, %rcx\n"
"	rep movsb\n"
"	xorl %eax, %eax\n"
"	ret\n"
"3:	cmpl $8, %edx\n"
"	jb 5f\n"
"	movq (%rsi), %rax\n"
"	movq -8(%rsi,%rdx), %rcx\n"
"	movq %rax, (%rdi)\n"
"	movq %rcx, -8(%rdi,%rdx)\n"
"	xorl %eax, %eax\n"
"	ret\n"
"5:	cmpl $4, %edx\n"
"	jb 6f\n"
"	movl (%rsi), %eax\n"
"	movl -4(%rsi,%rdx), %ecx\n"
"	movl %eax, (%rdi)\n"
"	movl %ecx, -4(%rdi,%rdx)\n"
"	xorl %eax, %eax\n"
"	ret\n"
"6:	xorl %eax, %eax\n"
"	testl %edx, %edx\n"
"	je 7f\n"
"	movb (%rsi), %cl\n"
"	movb %cl, (%rdi)\n"
"	incq %rsi\n"
"	incq %rdi\n"
"	decl %edx\n"
"	jmp 6b\n"
"7:	ret\n"
"	.p2align 4\n"
"	.hidden private_copy_header\n"
"	.globl private_copy_header\n"
"private_copy_header:\n"
"	movzwl (%rsi), %eax\n"
"	movzwl 2(%rsi), %ecx\n"
"	movzbl 4(%rsi), %edx\n"
"	movzbl 5(%rsi), %r8d\n"
"	movzwl 6(%rsi), %r9d\n"
"	movw %ax, (%rdi)\n"
"	movw %cx, 2(%rdi)\n"
"	movb %dl, 4(%rdi)\n"
"	movb %r8b, 5(%rdi)\n"
"	movw %r9w, 6(%rdi)\n"
"	movl 40(%rsi), %eax\n"
"	movl 44(%rsi), %ecx\n"
"	movl %eax, 40(%rdi)\n"
"	movl %ecx, 44(%rdi)\n"
"	movq 8(%rsi), %rax\n"
"	movq 16(%rsi), %rcx\n"
"	movq 24(%rsi), %rdx\n"
"	movq 32(%rsi), %r8\n"
"	movq %rax, 8(%rdi)\n"
"	movq %rcx, 16(%rdi)\n"
"	movq %rdx, 24(%rdi)\n"
"	movq %r8, 32(%rdi)\n"
"	xorl %eax, %eax\n"
"	ret\n"
"private_copy_fault:\n"
"	movl $1, %eax\n"
"	ret\n"
"	.cfi_endproc\n"
"	.size private_copy_raw, . - private_copy_raw\n"
"	.popsection\n");
#define PROGRAM_COUNTER(context)	((context)->uc_mcontext.gregs[REG_RIP])
#elif defined(__aarch64__)
asm(
"	.pushsection .text\n"
"	.p2align 6\n"
"	.hidden private_copy_begin, private_copy_fault, private_copy_raw\n"
"	.globl private_copy_begin, private_copy_fault, private_copy_raw\n"
"	.type private_copy_raw, %function\n"
"private_copy_raw:\n"
"private_copy_begin:\n"
"	.cfi_startproc\n"
"	subs x3, x2, #16\n"
"	b.lo 3f\n"
"	ldr q1, [x1, x3]\n"
"1:	cmp x2, #16\n"
"	b.ls 4f\n"
"	ldr q0, [x1], #16\n"
"	str q0, [x0], #16\n"
"	sub x2, x2, #16\n"
"	b 1b\n"
"4:	add x0, x0, x2\n"
"	str q1, [x0, #-16]\n"
"	mov w0, #0\n"
"	ret\n"
"3:	add x4, x1, x2\n"
"	add x5, x0, x2\n"
"	tbz x2, #3, 5f\n"
"	ldr x6, [x1]\n"
"	ldr x7, [x4, #-8]\n"
"	str x6, [x0]\n"
"	str x7, [x5, #-8]\n"
"	mov w0, #0\n"
"	ret\n"
"5:	tbz x2, #2, 6f\n"
"	ldr w6, [x1]\n"
"	ldr w7, [x4, #-4]\n"
"	str w6, [x0]\n"
"	str w7, [x5, #-4]\n"
"	mov w0, #0\n"
"	ret\n"
"6:	cbz x2, 7f\n"
"	ldrb w6, [x1], #1\n"
"	strb w6, [x0], #1\n"
"	sub x2, x2, #1\n"
"	b 6b\n"
"7:	mov w0, #0\n"
"	ret\n"
"private_copy_fault:\n"
"	mov w0, #1\n"
"	ret\n"
"	.cfi_endproc\n"
"	.size private_copy_raw, . - private_copy_raw\n"
"	.popsection\n");
#define PROGRAM_COUNTER(context)	((context)->uc_mcontext.pc)
#else
#define PLAIN_COPY
#endif

#ifdef PLAIN_COPY
int private_copy(void *to, const void *from, size_t bytes)
{
	memcpy(to, from, bytes);
	return 0;
}

int private_copy_header(struct event_trace_header *to, const void *from)
{
	memcpy(to, from, sizeof(*to));
	return 0;
}

void private_faults_begin(void)
{
}

void private_faults_end(void)
{
}
#else
extern const char private_copy_begin[], private_copy_fault[];
int private_copy_raw(void *to, const void *from, size_t bytes);

static const int signals[] = { SIGSEGV, SIGBUS };
#define SIGNALS	(sizeof(signals) / sizeof(signals[0]))

/* Of more handlers, each of which came over ours in a session, the last ones share a place. */
#define DEPTH		4

/**
 * struct handled - where we are in a signal's row of handlers
 * @before: what was there when we came; we are over the last one, and over those before it
 *	where handlers that came over us meanwhile call us
 * @depth: entries of it; 0: we are nowhere
 */
static struct handled {
	struct sigaction before[DEPTH];
	unsigned int depth;
} handled[SIGNALS];

/**
 * struct passing - a fault that is on its way through the handlers before ours
 * @context: of the fault
 * @frame: ours, of the last time that we were called for it
 * @times: that we were, without the first
 */
struct passing {
	const void *context;
	const void *frame;
	unsigned int times;
};

static __thread struct passing passing __attribute__((tls_model("initial-exec")));

int private_copy(void *to, const void *from, size_t bytes)
{
	return private_copy_raw(to, from, bytes);
}

#ifndef __x86_64__
int private_copy_header(struct event_trace_header *to, const void *from)
{
	return private_copy_raw(to, from, sizeof(*to));
}
#endif

/* As it would have gone without us */
static void by_default(int signal, const siginfo_t *info)
{
	struct sigaction action = { .sa_handler = SIG_DFL };

	sigaction(signal, &action, NULL);
	/* a fault happens again; a signal that was sent has to be sent again */
	if (info->si_code <= 0)
		syscall(SYS_tgkill, getpid(), gettid(), signal);
}

/* One with SA_RESETHAND is called once, by whichever thread comes first: as the kernel does it */
static struct sigaction take_handler(struct sigaction *before)
{
	struct sigaction taken = *before;

	if ((taken.sa_flags & SA_RESETHAND) && taken.sa_handler != SIG_IGN)
		taken.sa_handler = __atomic_exchange_n(&before->sa_handler, SIG_DFL,
						       __ATOMIC_RELAXED);
	return taken;
}

static void call(struct sigaction *before, int signal, siginfo_t *info, void *context)
{
	const struct sigaction taken = take_handler(before), *old = &taken;

	if ((old->sa_flags & SA_SIGINFO) && old->sa_handler != SIG_DFL)
		old->sa_sigaction(signal, info, context);
	else if (old->sa_handler == SIG_DFL || (old->sa_handler == SIG_IGN && info->si_code > 0))
		by_default(signal, info);
	else if (old->sa_handler != SIG_IGN)
		old->sa_handler(signal);
}

/*
 * A handler that we are over may call us, if it once came over us: then the fault is for
 * the one before. Such a call comes from below our own frame; without that it is another
 * fault in the same place, of a thread that left the last one's handler by siglongjmp().
 */
static __attribute__((noinline)) void pass_on(int signal, siginfo_t *info, void *context)
{
	struct handled *mine = &handled[signal == SIGBUS];
	unsigned int at = mine->depth ? mine->depth - 1 : 0;
	const void *frame = __builtin_frame_address(0);
	struct passing outer = passing;
	bool again = context == outer.context && (uintptr_t)frame < (uintptr_t)outer.frame;

	passing = (struct passing){ context, frame, again ? outer.times + 1 : 0 };
	if (passing.times > at)
		by_default(signal, info);
	else
		call(&mine->before[at - passing.times], signal, info, context);
	passing = outer;
}

static void on_fault(int signal, siginfo_t *info, void *context)
{
	ucontext_t *at = context;
	uintptr_t pc = PROGRAM_COUNTER(at);

	if (info->si_code > 0 && pc >= (uintptr_t)private_copy_begin &&
	    pc < (uintptr_t)private_copy_fault)
		PROGRAM_COUNTER(at) = (uintptr_t)private_copy_fault;
	else
		pass_on(signal, info, context);
}

static bool is_ours(const struct sigaction *action)
{
	return (action->sa_flags & SA_SIGINFO) && action->sa_sigaction == on_fault;
}

static bool is_same(const struct sigaction *a, const struct sigaction *b)
{
	return a->sa_sigaction == b->sa_sigaction &&
	       !((a->sa_flags ^ b->sa_flags) & (SA_SIGINFO | SA_RESETHAND));
}

/* Over what is there now, whether or not we are under it. */
static void install(struct handled *mine, int signal)
{
	struct sigaction now, action;
	unsigned int at = mine->depth;

	if (sigaction(signal, NULL, &now) || is_ours(&now))
		return;
	if (at == DEPTH || (at && is_same(&now, &mine->before[at - 1])))
		at--;
	action = now;
	action.sa_sigaction = on_fault;
	action.sa_flags |= SA_SIGINFO | SA_ONSTACK;
	action.sa_flags &= ~SA_RESETHAND;
	mine->before[at] = now;
	if (!sigaction(signal, &action, NULL))
		mine->depth = at + 1;
}

/* Under memory->lock, as private_faults_end() */
void private_faults_begin(void)
{
	size_t i;

	for (i = 0; i < SIGNALS; i++)
		install(&handled[i], signals[i]);
}

/* A handler that was installed after ours may call ours: then ours stays installed. */
void private_faults_end(void)
{
	struct sigaction now;
	struct handled *mine;
	size_t i;

	for (i = 0; i < SIGNALS; i++) {
		mine = &handled[i];
		if (!mine->depth || sigaction(signals[i], NULL, &now) || !is_ours(&now) ||
		    sigaction(signals[i], &mine->before[mine->depth - 1], NULL))
			continue;
		mine->depth--;
	}
}
#endif
